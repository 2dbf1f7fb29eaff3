// What `import StoreKit` brings along, as on Apple's systems.
@_exported public import Foundation
