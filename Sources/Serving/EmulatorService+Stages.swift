package import Engine
import HTTPMessage
package import Journal
import Proxying
import Transport

extension EmulatorService: AccessLogging {
    package func log(_ line: JournalLine, world: String, isUnmatched: Bool) {
        log.add(line, world: world, isUnmatched: isUnmatched)
    }
}

extension EmulatorService: WorldPersistence {
    package func holds(_ exchange: Exchange, in group: ExchangeGroup) -> Bool {
        guard let storedAnswers else { return false }
        return storedAnswers.takes(played(exchange), to: exchange.serverID, world: group.world, api: group.api)
    }
}
