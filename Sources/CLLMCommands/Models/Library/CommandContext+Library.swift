import CarbocationLocalLLM
import Foundation

extension CommandContext {
    /// The folder of the model library.
    var modelsRoot: URL {
        if let path = globals.modelsDirectory { return URL(fileURLWithPath: path, isDirectory: true) }
        return ModelStorage.modelsDirectory(appSupportFolderName: "CarbocationLocalLLM")
    }

    /// The model library, with its lists up to date.
    func openLibrary() async -> ModelLibrary {
        let variables = environment.variables
        let search: ModelLibrarySearchConfiguration =
            globals.managedOnly ? .managedOnly : .platformDefault(environment: variables)
        let library = await ModelLibrary(root: modelsRoot, searchConfiguration: search)
        await library.refresh()
        return library
    }

    /// Where the user's choice of a model is stored.
    var selectionFile: SelectionFile { SelectionFile(modelsRoot: modelsRoot) }
}
