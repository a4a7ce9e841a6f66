import Control
import Emulation
import HTTPMessage
import Transport

/// Where a control call came from, kept for its answer.
struct CallOrigin {
    let exchange: ExchangeID
    let head: RequestHead
    let address: Address
    let peer: Peer
}
