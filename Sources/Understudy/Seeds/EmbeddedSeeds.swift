// Made by scripts/embed-seeds from seeds/; do not edit.
// swift-format-ignore-file

/// The seed folder as it was when this was built.
enum EmbeddedSeeds {
    /// File name and text of one API's files.
    static func files(of api: String) -> [(name: String, text: String)] {
        switch api {
        case "carbscan": carbscan
        case "omnichat": omnichat
        case "sawaed": sawaed
        case "trafikskola": trafikskola
        case "trendy": trendy
        default: []
        }
    }
}
