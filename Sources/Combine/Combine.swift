#if os(Linux)
// Combine for Linux: OpenCombine under the name that an app's code imports. Its schedulers and the
// extensions of Foundation's types, such as `NotificationCenter`, come along.
@_exported public import OpenCombine
@_exported public import OpenCombineDispatch
@_exported public import OpenCombineFoundation
#endif
