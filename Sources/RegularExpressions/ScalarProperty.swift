/// A Unicode property that `\p{…}` names: a general category, a group of them, or a binary property.
enum ScalarProperty: Hashable, Sendable {
    case categories([Unicode.GeneralCategory])
    case binary(Binary)

    /// The binary properties of ECMA-262 (table 67) that the standard library knows.
    enum Binary: Hashable, Sendable {
        case ascii, any, assigned, asciiHexDigit, alphabetic, bidiControl, bidiMirrored, caseIgnorable, cased
        case changesWhenCaseFolded, changesWhenCaseMapped, changesWhenLowercased, changesWhenNFKCCaseFolded
        case changesWhenTitlecased, changesWhenUppercased, dash, defaultIgnorable, deprecated, diacritic, emoji
        case emojiModifier, emojiModifierBase, emojiPresentation, extender, graphemeBase, graphemeExtend, hexDigit
        case idsBinaryOperator, idsTrinaryOperator, idContinue, idStart, ideographic, joinControl
        case logicalOrderException, lowercase, math, noncharacter, patternSyntax, patternWhiteSpace, quotationMark
        case radical, regionalIndicator, sentenceTerminal, softDotted, terminalPunctuation, unifiedIdeograph
        case uppercase, variationSelector, whiteSpace, xidContinue, xidStart
    }

    /// The property of a name within the braces, such as `L`, `gc=Lu` or `Alphabetic`; nil for one that is not known.
    init?(_ text: String) {
        if let equals = text.firstIndex(of: "=") {
            let name = text[..<equals]
            guard name == "gc" || name == "General_Category",
                let group = Self.category(String(text[text.index(after: equals)...]))
            else { return nil }
            self = .categories(group)
        } else if let group = Self.category(text) {
            self = .categories(group)
        } else if let binary = Self.binaryNames[text] {
            self = .binary(binary)
        } else {
            return nil
        }
    }

    /// Tells whether a name is about scripts, of which the standard library knows nothing.
    static func isScript(_ text: String) -> Bool {
        ["sc=", "Script=", "scx=", "Script_Extensions="].contains { text.hasPrefix($0) }
    }

    /// Tells whether a character has it.
    func holds(for scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .categories(let group): group.contains(scalar.properties.generalCategory)
        case .binary(let binary): binary.holds(for: scalar)
        }
    }

    private static func category(_ name: String) -> [Unicode.GeneralCategory]? {
        if let entry = categoryNames.first(where: { $0.names.contains(name) }) { return [entry.category] }
        guard let initials = groupNames.first(where: { $0.names.contains(name) })?.categories else { return nil }
        return categoryNames.filter { initials.contains($0.names[0]) }.map(\.category)
    }

    private static let groupNames: [(names: [String], categories: [String])] = [
        (["LC", "Cased_Letter"], ["Lu", "Ll", "Lt"]),
        (["L", "Letter"], ["Lu", "Ll", "Lt", "Lm", "Lo"]),
        (["M", "Mark", "Combining_Mark"], ["Mn", "Mc", "Me"]),
        (["N", "Number"], ["Nd", "Nl", "No"]),
        (["P", "Punctuation", "punct"], ["Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po"]),
        (["S", "Symbol"], ["Sm", "Sc", "Sk", "So"]),
        (["Z", "Separator"], ["Zs", "Zl", "Zp"]),
        (["C", "Other"], ["Cc", "Cf", "Cs", "Co", "Cn"]),
    ]

    private static let categoryNames: [(names: [String], category: Unicode.GeneralCategory)] = [
        (["Lu", "Uppercase_Letter"], .uppercaseLetter), (["Ll", "Lowercase_Letter"], .lowercaseLetter),
        (["Lt", "Titlecase_Letter"], .titlecaseLetter), (["Lm", "Modifier_Letter"], .modifierLetter),
        (["Lo", "Other_Letter"], .otherLetter), (["Mn", "Nonspacing_Mark"], .nonspacingMark),
        (["Mc", "Spacing_Mark"], .spacingMark), (["Me", "Enclosing_Mark"], .enclosingMark),
        (["Nd", "Decimal_Number", "digit"], .decimalNumber), (["Nl", "Letter_Number"], .letterNumber),
        (["No", "Other_Number"], .otherNumber), (["Pc", "Connector_Punctuation"], .connectorPunctuation),
        (["Pd", "Dash_Punctuation"], .dashPunctuation), (["Ps", "Open_Punctuation"], .openPunctuation),
        (["Pe", "Close_Punctuation"], .closePunctuation), (["Pi", "Initial_Punctuation"], .initialPunctuation),
        (["Pf", "Final_Punctuation"], .finalPunctuation), (["Po", "Other_Punctuation"], .otherPunctuation),
        (["Sm", "Math_Symbol"], .mathSymbol), (["Sc", "Currency_Symbol"], .currencySymbol),
        (["Sk", "Modifier_Symbol"], .modifierSymbol), (["So", "Other_Symbol"], .otherSymbol),
        (["Zs", "Space_Separator"], .spaceSeparator), (["Zl", "Line_Separator"], .lineSeparator),
        (["Zp", "Paragraph_Separator"], .paragraphSeparator), (["Cc", "Control", "cntrl"], .control),
        (["Cf", "Format"], .format), (["Cs", "Surrogate"], .surrogate), (["Co", "Private_Use"], .privateUse),
        (["Cn", "Unassigned"], .unassigned),
    ]

    private static let binaryNames: [String: Binary] = [
        "ASCII": .ascii, "Any": .any, "Assigned": .assigned, "ASCII_Hex_Digit": .asciiHexDigit,
        "AHex": .asciiHexDigit, "Alphabetic": .alphabetic, "Alpha": .alphabetic, "Bidi_Control": .bidiControl,
        "Bidi_C": .bidiControl, "Bidi_Mirrored": .bidiMirrored, "Bidi_M": .bidiMirrored,
        "Case_Ignorable": .caseIgnorable, "CI": .caseIgnorable, "Cased": .cased,
        "Changes_When_Casefolded": .changesWhenCaseFolded, "CWCF": .changesWhenCaseFolded,
        "Changes_When_Casemapped": .changesWhenCaseMapped, "CWCM": .changesWhenCaseMapped,
        "Changes_When_Lowercased": .changesWhenLowercased, "CWL": .changesWhenLowercased,
        "Changes_When_NFKC_Casefolded": .changesWhenNFKCCaseFolded, "CWKCF": .changesWhenNFKCCaseFolded,
        "Changes_When_Titlecased": .changesWhenTitlecased, "CWT": .changesWhenTitlecased,
        "Changes_When_Uppercased": .changesWhenUppercased, "CWU": .changesWhenUppercased, "Dash": .dash,
        "Default_Ignorable_Code_Point": .defaultIgnorable, "DI": .defaultIgnorable, "Deprecated": .deprecated,
        "Dep": .deprecated, "Diacritic": .diacritic, "Dia": .diacritic, "Emoji": .emoji,
        "Emoji_Modifier": .emojiModifier, "EMod": .emojiModifier, "Emoji_Modifier_Base": .emojiModifierBase,
        "EBase": .emojiModifierBase, "Emoji_Presentation": .emojiPresentation, "EPres": .emojiPresentation,
        "Extender": .extender, "Ext": .extender, "Grapheme_Base": .graphemeBase, "Gr_Base": .graphemeBase,
        "Grapheme_Extend": .graphemeExtend, "Gr_Ext": .graphemeExtend, "Hex_Digit": .hexDigit, "Hex": .hexDigit,
        "IDS_Binary_Operator": .idsBinaryOperator, "IDSB": .idsBinaryOperator,
        "IDS_Trinary_Operator": .idsTrinaryOperator, "IDST": .idsTrinaryOperator, "ID_Continue": .idContinue,
        "IDC": .idContinue, "ID_Start": .idStart, "IDS": .idStart, "Ideographic": .ideographic,
        "Ideo": .ideographic, "Join_Control": .joinControl, "Join_C": .joinControl,
        "Logical_Order_Exception": .logicalOrderException, "LOE": .logicalOrderException, "Lowercase": .lowercase,
        "Lower": .lowercase, "Math": .math, "Noncharacter_Code_Point": .noncharacter, "NChar": .noncharacter,
        "Pattern_Syntax": .patternSyntax, "Pat_Syn": .patternSyntax, "Pattern_White_Space": .patternWhiteSpace,
        "Pat_WS": .patternWhiteSpace, "Quotation_Mark": .quotationMark, "QMark": .quotationMark,
        "Radical": .radical, "Regional_Indicator": .regionalIndicator, "RI": .regionalIndicator,
        "Sentence_Terminal": .sentenceTerminal, "STerm": .sentenceTerminal, "Soft_Dotted": .softDotted,
        "SD": .softDotted, "Terminal_Punctuation": .terminalPunctuation, "Term": .terminalPunctuation,
        "Unified_Ideograph": .unifiedIdeograph, "UIdeo": .unifiedIdeograph, "Uppercase": .uppercase,
        "Upper": .uppercase, "Variation_Selector": .variationSelector, "VS": .variationSelector,
        "White_Space": .whiteSpace, "space": .whiteSpace, "XID_Continue": .xidContinue, "XIDC": .xidContinue,
        "XID_Start": .xidStart, "XIDS": .xidStart,
    ]
}

extension ScalarProperty.Binary {
    /// Tells whether a character has it.
    func holds(for scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return switch self {
        case .ascii: scalar.isASCII
        case .any: true
        case .assigned: properties.generalCategory != .unassigned
        case .asciiHexDigit: properties.isASCIIHexDigit
        case .alphabetic: properties.isAlphabetic
        case .bidiControl: properties.isBidiControl
        case .bidiMirrored: properties.isBidiMirrored
        case .caseIgnorable: properties.isCaseIgnorable
        case .cased: properties.isCased
        case .changesWhenCaseFolded: properties.changesWhenCaseFolded
        case .changesWhenCaseMapped: properties.changesWhenCaseMapped
        case .changesWhenLowercased: properties.changesWhenLowercased
        case .changesWhenNFKCCaseFolded: properties.changesWhenNFKCCaseFolded
        case .changesWhenTitlecased: properties.changesWhenTitlecased
        case .changesWhenUppercased: properties.changesWhenUppercased
        case .dash: properties.isDash
        case .defaultIgnorable: properties.isDefaultIgnorableCodePoint
        case .deprecated: properties.isDeprecated
        case .diacritic: properties.isDiacritic
        case .emoji: properties.isEmoji
        case .emojiModifier: properties.isEmojiModifier
        case .emojiModifierBase: properties.isEmojiModifierBase
        case .emojiPresentation: properties.isEmojiPresentation
        case .extender: properties.isExtender
        case .graphemeBase: properties.isGraphemeBase
        case .graphemeExtend: properties.isGraphemeExtend
        case .hexDigit: properties.isHexDigit
        case .idsBinaryOperator: properties.isIDSBinaryOperator
        case .idsTrinaryOperator: properties.isIDSTrinaryOperator
        case .idContinue: properties.isIDContinue
        case .idStart: properties.isIDStart
        case .ideographic: properties.isIdeographic
        case .joinControl: properties.isJoinControl
        case .logicalOrderException: properties.isLogicalOrderException
        case .lowercase: properties.isLowercase
        case .math: properties.isMath
        case .noncharacter: properties.isNoncharacterCodePoint
        case .patternSyntax: properties.isPatternSyntax
        case .patternWhiteSpace: properties.isPatternWhitespace
        case .quotationMark: properties.isQuotationMark
        case .radical: properties.isRadical
        case .regionalIndicator: (0x1F1E6...0x1F1FF).contains(scalar.value)
        case .sentenceTerminal: properties.isSentenceTerminal
        case .softDotted: properties.isSoftDotted
        case .terminalPunctuation: properties.isTerminalPunctuation
        case .unifiedIdeograph: properties.isUnifiedIdeograph
        case .uppercase: properties.isUppercase
        case .variationSelector: properties.isVariationSelector
        case .whiteSpace: properties.isWhitespace
        case .xidContinue: properties.isXIDContinue
        case .xidStart: properties.isXIDStart
        }
    }
}
