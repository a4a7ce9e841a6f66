package import Worlds

/// A store of worlds and snapshots, to which a `PersistenceCoordinator` writes.
///
/// One thread uses it at a time: the worker while a batch is being written, and the loop otherwise.
package protocol WorldStore: AnyObject {
    /// The path of the file or folder, as messages name it.
    var path: String { get }
    /// Tells whether nothing was stored before.
    var isNew: Bool { get }
    /// The worlds and snapshots that were stored when it was opened.
    var keys: [Int] { get }
    /// Tells whether there is unused content.
    var hasGarbage: Bool { get }

    /// Creates the error of content that a store can't have.
    func damaged(_ detail: String) -> WorldStoreError

    /// Returns the content that was stored when it was opened, once: it is as large as all worlds together.
    func takeContent() -> StoredContent?

    /// Opens it for writing.
    func begin() throws(WorldStoreError)

    /// Writes a whole batch, or nothing of it.
    func attempt(_ batch: StoreBatch) -> Result<Void, StorageError>

    /// Removes some unused content; false if that could not be written.
    func collect(most: Int) -> Bool

    func close()
}
