extension String {
    /// The text escaped for HTML and XML, in content and in quoted attributes.
    package var escapedForHTML: String {
        var safe = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            case "'": safe += "&#39;"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }
}
