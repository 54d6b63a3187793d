#if canImport(Security)
    import Foundation
    import Security

    /// Tokens as generic passwords that stay on this device.
    struct KeychainTokenStorage: TokenStorage {
        let service: String

        func token(for account: String) throws -> String? {
            var query = query(for: account)
            query[kSecReturnData] = true
            query[kSecMatchLimit] = kSecMatchLimitOne
            var item: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &item)
            if status == errSecItemNotFound { return nil }
            try check(status)
            return (item as? Data).flatMap { String(data: $0, encoding: .utf8) }
        }

        func save(_ token: String, for account: String) throws {
            let secret: [CFString: Any] = [
                kSecValueData: Data(token.utf8), kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            let query = query(for: account)
            let status = SecItemUpdate(query as CFDictionary, secret as CFDictionary)
            guard status == errSecItemNotFound else { return try check(status) }
            try check(SecItemAdd(query.merging(secret) { $1 } as CFDictionary, nil))
        }

        func deleteToken(for account: String) throws {
            let status = SecItemDelete(query(for: account) as CFDictionary)
            if status != errSecItemNotFound { try check(status) }
        }

        private func query(for account: String) -> [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: account]
        }

        private func check(_ status: OSStatus) throws {
            guard status != errSecSuccess else { return }
            let reason = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "status \(status)"
            throw TokenStorageError.system(reason)
        }
    }
#endif
