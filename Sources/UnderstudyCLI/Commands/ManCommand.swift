import ClientCommands

/// `man`: prints the manual page as roff, which packages install as `understudy(1)`.
enum ManCommand: Command {
    static let name = "man"
    static let summary = "prints the manual page in roff"
    static let examples = [
        Example("understudy man > understudy.1 && man ./understudy.1", "reads the page without installing it")
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        Terminal.out(ManPage.text)
        return ExitCode.ok
    }
}
