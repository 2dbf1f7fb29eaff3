import ArgumentParser
import StoreModel

/// A transaction named on the command line.
struct TransactionArgument: ParsableArguments {
    @Argument(help: "The transaction's number.") var transaction: String

    func validate() throws {
        guard TransactionID(transaction) != nil else {
            throw ValidationError("A transaction is a number, found '\(transaction)'.")
        }
    }

    var id: TransactionID { TransactionID(transaction) ?? TransactionID(0) }
}
