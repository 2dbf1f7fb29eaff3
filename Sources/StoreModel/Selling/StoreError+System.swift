package import Basics
import Foundation

extension StoreError {
    /// What a system call's failure means for the store.
    ///
    /// - Parameter other: what a failure is that says nothing of rights and room.
    package init(errno code: Int32, path: String, other: Code = .storeUnreadable) {
        let kind: Code =
            switch code {
            case EACCES, EPERM, EROFS: .storeReadOnly
            case ENOSPC, EDQUOT: .storeFull
            default: other
            }
        self.init(kind, subject: path, cause: String(cString: strerror(code)))
    }

    /// A lock that could not be had; `found` says which process holds it.
    package init(_ failure: FileLock.Failure, path: String, busy: Code = .storeBusy) {
        switch failure {
        case .held(let holder):
            self.init(busy, subject: path, found: holder.map(String.init(describing:)))
        case .system(let code): self.init(errno: code, path: path)
        }
    }
}
