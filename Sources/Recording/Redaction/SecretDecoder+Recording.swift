import Secrets

extension SecretDecoder {
    /// The number of codings within one another, of which several are escapes.
    private static let rounds = 8

    /// Returns the pieces of a recorded text that hold a secret only after decoding (control contract, sections 13 and
    /// 19).
    ///
    /// Content with many layers takes no more than a few times its length. `PlainView` decodes the escapes of URLs and
    /// HTML in the text itself.
    static func codedPlaces(
        in text: [UInt8],
        known: @escaping ([UInt8]) -> [Range<Int>],
        holdsInText: (([UInt8]) -> Bool)? = nil
    ) -> [Range<Int>] {
        let search = Search(places: known, holdsInText: holdsInText)
        var decoder = SecretDecoder(search, rounds: rounds, budget: text.count * 24 + 1_024 * 1_024)
        return decoder.codedPlaces(in: text, isBare: true)
    }
}
