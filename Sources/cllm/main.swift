import CLLMCommands
import Foundation

// First of all, while the process has no files of its own.
StandardDescriptors.occupyClosed()
let interruptions = ProcessSignals.takeOver()
let code = await CLLM.run(
    arguments: Array(CommandLine.arguments.dropFirst()), environment: .process(interruptions: interruptions))
exit(code.rawValue)
