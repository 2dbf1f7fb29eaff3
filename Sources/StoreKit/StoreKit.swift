#if os(Linux)
// What `import StoreKit` brings along, as on Apple's systems.
@_exported public import Combine
@_exported public import Foundation
#endif
