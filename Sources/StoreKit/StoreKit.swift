#if os(Linux)
// What `import StoreKit` brings along, as on Apple's systems: Combine, and Foundation. Not by the module
// `Combine`, which is built only where an app asks for it (Package.swift).
@_exported public import Foundation
@_exported public import OpenCombine
@_exported public import OpenCombineDispatch
@_exported public import OpenCombineFoundation
#endif
