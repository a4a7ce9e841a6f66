/// The form of a word, by the pairs of letters that words of European languages are made of.
///
/// Of nine in ten words the pairs are common enough, and of one in forty texts of eight random letters; of longer random
/// ones far fewer.
enum WordForm {
    /// The frequency of each pair, from 0 to 5: a row for each first letter, a column for each second one.
    private static let pairs: [[UInt8]] = [
        "23441232313545130545332131", "31113000310310300321300010", "40214114303310410324300010",
        "31124111410211310331201010", "42453331302435232554132321", "20003300400210300312200010",
        "30114012300212210321200000", "40004000300111300212200010", "33434330012435430344130203",
        "20112000100000210010200000", "30003001300101200221100010", "41135110501411420133310030",
        "42114010400120330020200010", "41444341412213310145220021", "22332231212445330543433110",
        "40114013300310330423200020", "00000000000000000001300000", "42335221502333420344321030",
        "30314113402221331145311021", "41225214501221420443311031", "23223120301334120433000101",
        "30004000300000200000000000", "30003001300101200110000000", "10102000100010020002000000",
        "20102010100112120021100000", "20003000200000100000000000",
    ].map { $0.utf8.map { $0 - 0x30 } }

    /// The frequency that the pairs of a word have on average.
    private static let least = 3

    /// Joined words with rare pairs between them.
    private static let joined: Set<String> = ["darkmode", "dashboard"]

    /// Returns true for one word of ASCII letters, in lower case but for its first letter, or in upper case.
    static func isWord(_ value: String) -> Bool {
        let letters = value.utf8.map { ($0 | 0x20) &- 0x61 }
        guard (2...20).contains(letters.count), letters.allSatisfy({ $0 < 26 }) else { return false }
        let capitals = value.utf8.count { $0 < 0x61 }
        guard capitals == 0 || capitals == letters.count || capitals == 1 && value.utf8.first.map({ $0 < 0x61 }) == true
        else { return false }
        let sum = zip(letters, letters.dropFirst()).reduce(0) { $0 + Int(pairs[Int($1.0)][Int($1.1)]) }
        return sum >= least * (letters.count - 1) || joined.contains(value.lowercased())
    }
}
