// Checks by types: what calls these compiles only if a type conforms.

/// A type whose values are compared and passed between tasks.
func isValue<Value: Hashable & Sendable>(_: Value.Type) {}

/// An open list of values, as Apple's types with names that may become more.
func isRaw<Value: RawRepresentable & Hashable & Sendable, Raw>(_: Value.Type, by _: Raw.Type)
where Value.RawValue == Raw {}

/// A sequence that throws nothing.
func isSequence<Values: AsyncSequence & Sendable, Element: Sendable>(
    _: Values.Type, of _: Element.Type
) where Values.Element == Element, Values.Failure == Never {}

/// An error that tells a person what happened.
func isError<Failure: Error & Sendable>(_: Failure.Type) {}
