/// A call that the output is in, as far as it has come.
package struct OpenCall: Sendable, Hashable {
    /// Whom the call is for, where its header says so: `functions.search`.
    package var recipient: String?
    /// What stands before the body: markers, white space, a code fence.
    package var lead: String
    package var body: String

    package init(recipient: String? = nil, lead: String = "", body: String) {
        self.recipient = recipient
        self.lead = lead
        self.body = body
    }
}
