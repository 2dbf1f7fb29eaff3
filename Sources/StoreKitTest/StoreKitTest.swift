#if os(Linux)
// What `import StoreKitTest` brings along, as on Apple's systems.
@_exported public import StoreKit
#endif
