/// Returns the content of a file beside an archive, by its name alone; nil if there is no such file.
///
/// Playwright writes contents into such files, and names them by `_file` in place of `text`.
package typealias HARAttachments = @Sendable (_ name: String) -> [UInt8]?
