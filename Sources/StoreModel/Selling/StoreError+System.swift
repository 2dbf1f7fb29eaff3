package import Basics
import Foundation

extension StoreError {
    /// `storeReadOnly` for missing rights, `storeFull` for missing space or quota.
    ///
    /// - Parameter other: the code for all other error numbers.
    package init(errno code: Int32, path: String, other: Code = .storeUnreadable) {
        let kind: Code =
            switch code {
            case EACCES, EPERM, EROFS: .storeReadOnly
            case ENOSPC, EDQUOT: .storeFull
            default: other
            }
        self.init(kind, subject: path, cause: systemMessage(code))
    }

    /// The error for a file or folder that a person named and that cannot be read.
    package init(unreadable path: String, errno code: Int32) {
        self.init(.fileUnreadable, subject: path, cause: systemMessage(code))
    }

    /// The error for a file that a person named and that cannot be written.
    package init(unwritable path: String, errno code: Int32) {
        self.init(.fileUnwritable, subject: path, cause: systemMessage(code))
    }

    /// `busy` is the code if another process holds the lock; `found` then names that process.
    package init(_ failure: FileLock.Failure, path: String, busy: Code = .storeBusy) {
        switch failure {
        case .held(let holder):
            self.init(busy, subject: path, found: holder.map(String.init(describing:)))
        case .system(let code): self.init(errno: code, path: path)
        }
    }
}
