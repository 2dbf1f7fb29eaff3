@testable import StoreCatalog
import Testing

extension CatalogProblem {
    /// For a comparison with a `Defect`, which has no code of its own.
    var withoutCode: CatalogProblem {
        var problem = self
        problem.code = .wrongValue
        return problem
    }
}

/// One mistake in a catalog file, and the problem that must be reported for it.
struct Defect: CustomTestStringConvertible, Sendable {
    /// Every occurrence of `right` in the good file is replaced by `wrong`.
    var right: String
    var wrong: String
    var problem: CatalogProblem

    init(
        _ right: String, _ wrong: String, _ severity: CatalogProblem.Severity = .error,
        at path: String, line: Int? = nil, found: String, expected: String,
        suggestion: String? = nil
    ) {
        self.right = right
        self.wrong = wrong
        problem = CatalogProblem(
            severity: severity, code: .wrongValue, path: path, line: line, found: found,
            expected: expected,
            suggestion: suggestion)
    }

    var testDescription: String { "\(wrong.prefix(60)) at \(problem.path)" }
}
