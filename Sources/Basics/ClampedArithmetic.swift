/// Arithmetic for numbers that come from files, clocks and servers and may be of any size. A result
/// that does not fit is the nearest number that does, where the plain operators trap.
extension FixedWidthInteger {
    package func addingClamped(_ other: Self) -> Self {
        let (sum, isOutside) = addingReportingOverflow(other)
        return isOutside ? (other < 0 ? .min : .max) : sum
    }

    package func subtractingClamped(_ other: Self) -> Self {
        let (difference, isOutside) = subtractingReportingOverflow(other)
        return isOutside ? (other < 0 ? .max : .min) : difference
    }

    package func multipliedClamped(by other: Self) -> Self {
        let (product, isOutside) = multipliedReportingOverflow(by: other)
        return isOutside ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
