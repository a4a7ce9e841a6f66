import Certificates
import ClientCommands
import Transport
import Understudy

/// `untrust`: the reverse of `trust` (transport contract, section 5).
enum UntrustCommand: Command {
    static let name = "untrust"
    static let summary = "removes the root from the stores that trust added it to"
    static let usage = "[--yes] [--store NAME…] [--remove]"
    static let options = [
        TrustCommand.yes, TrustCommand.stores,
        Option(
            name: "remove",
            kind: .toggle,
            help: "deletes the folder of the authority too",
            default: "off"
        ),
    ]
    static let settings = [TLSOptions.folder]
    static let discussion = """
        Without --yes nothing is changed: the commands that would run are printed. A simulator loses the root when it is
        erased, and a device when its profile or certificate is removed in its settings.
        """
    static let examples = [
        Example("understudy untrust --yes --remove", "removes the root from every store that exists, and the authority")
    ]

    static func run(_ arguments: Arguments) throws(UsageError) -> Int32 {
        let chosen = try TrustCommand.chosenStores(arguments)
        let folder = try TrustCommand.ports(arguments).folder
        let root = folder.map { "\($0)/root.pem" }.flatMap { FolderReader.exists($0) ? $0 : nil }
        let runs = arguments.isOn("yes")
        let code = TrustPlan.carryOut(
            chosen.map { ($0, $0.removals(of: root)) },
            runs: runs,
            command: "understudy untrust --yes"
        )
        guard arguments.isOn("remove"), let folder else { return code }
        guard runs else {
            Terminal.out("the folder \(folder) would be deleted, with --yes")
            return code
        }
        do throws(CertificateError) {
            Terminal.out(try AuthorityFolder.remove(folder) ? "deleted \(folder)" : "there is no folder \(folder)")
            return code
        } catch {
            Terminal.error("understudy: \(error.description)")
            return ExitCode.failed
        }
    }
}
