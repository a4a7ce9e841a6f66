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

/// A control call that waits for something to happen.
struct PutOffCall {
    let origin: CallOrigin
    let call: WaitingCall
    /// A worker is looking whether it is settled.
    var isLookedAt = false
    /// Something has happened since that look began.
    var hasNews = false
}
