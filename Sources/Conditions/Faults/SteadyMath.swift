/// Logarithm, exponential and the normal distribution out of the four operations alone.
///
/// The C library's results differ in the last digit between machines; drawn delays have to be the same on all.
package enum SteadyMath {
    private static let logarithmOfTwo = 0.693_147_180_559_945_309_4

    /// Returns the natural logarithm of a positive, finite number.
    static func logarithm(_ value: Double) -> Double {
        guard value > 0, value.isFinite else { return -Double.greatestFiniteMagnitude }
        var mantissa = value.significand
        var exponent = Double(value.exponent)
        if mantissa > 1.414_213_562_373_095 {
            mantissa /= 2
            exponent += 1
        }
        // ln m = 2 artanh((m - 1) / (m + 1)), whose series converges fast for m near 1.
        let ratio = (mantissa - 1) / (mantissa + 1)
        let square = ratio * ratio
        var power = ratio
        var sum = 0.0
        for term in 0..<20 {
            sum += power / Double(2 * term + 1)
            power *= square
        }
        return 2 * sum + exponent * logarithmOfTwo
    }

    /// Returns e to that power: 0 or the largest number if the result can't be represented.
    package static func exponential(_ value: Double) -> Double {
        guard value > -700 else { return 0 }
        guard value < 700 else { return .greatestFiniteMagnitude }
        let whole = (value / logarithmOfTwo).rounded()
        let rest = value - whole * logarithmOfTwo
        var term = 1.0
        var sum = 1.0
        for place in 1...20 {
            term *= rest / Double(place)
            sum += term
        }
        return Double(sign: .plus, exponent: Int(whole), significand: 1) * sum
    }

    /// Returns the point of the standard normal distribution that a share of it is below.
    ///
    /// Acklam's rational approximation, with a relative error below 1.2e-9.
    static func normalQuantile(_ share: Double) -> Double {
        let share = min(max(share, 1e-300), 1 - 1e-16)
        let low = 0.02425
        if share < low { return tail((-2 * logarithm(share)).squareRoot()) }
        if share > 1 - low { return -tail((-2 * logarithm(1 - share)).squareRoot()) }
        let offset = share - 0.5
        let square = offset * offset
        let upper =
            (((((-3.969683028665376e+01 * square + 2.209460984245205e+02) * square - 2.759285104469687e+02) * square
                + 1.383577518672690e+02) * square - 3.066479806614716e+01) * square + 2.506628277459239e+00) * offset
        let lower =
            ((((-5.447609879822406e+01 * square + 1.615858368580409e+02) * square - 1.556989798598866e+02) * square
                + 6.680131188771972e+01) * square - 1.328068155288572e+01) * square + 1
        return upper / lower
    }

    private static func tail(_ root: Double) -> Double {
        let upper =
            ((((-7.784894002430293e-03 * root - 3.223964580411365e-01) * root - 2.400758277161838e+00) * root
                - 2.549732539343734e+00) * root + 4.374664141464968e+00) * root + 2.938163982698783e+00
        let lower =
            (((7.784695709041462e-03 * root + 3.224671290700398e-01) * root + 2.445134137142996e+00) * root
                + 3.754408661907416e+00) * root + 1
        return upper / lower
    }
}
