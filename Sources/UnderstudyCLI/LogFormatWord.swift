import ClientCommands

/// The log format that a command line or the environment asks for, before either is read as a whole.
enum LogFormatWord {
    static func isJSON(_ words: [String]) -> Bool {
        (EarlyFlag.value("--log-format", in: words) ?? Environment["UNDERSTUDY_LOG_FORMAT"]) == "json"
    }
}
