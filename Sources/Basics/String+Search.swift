/// The searches of `Substring`, over the whole text.
extension String {
    /// The place of the first occurrence; that of an empty text is the start.
    package func firstRange(of text: String) -> Range<Index>? { self[...].firstRange(of: text) }

    /// Tells whether the text occurs.
    package func contains(_ text: String) -> Bool { self[...].contains(text) }

    /// The text with another in the place of each occurrence, from the first on; of none if the wanted text is empty.
    package func replacing(_ wanted: String, with text: String, maxReplacements: Int = .max) -> String {
        self[...].replacing(wanted, with: text, maxReplacements: maxReplacements)
    }
}
