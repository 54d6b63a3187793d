#include "server.hpp"

#include "../guard.hpp"

#include "ggml-rpc.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>

namespace cllama {

namespace {

/// Names for llama.cpp, which remembers for ever what it learned of one: devices, alignments, sizes of tensors.
///
/// So a name is used again only for a server of which all that is known is the same: behind an address there may be
/// another one since. A connection that was lost leaves its name unused, because what llama.cpp heard under it may be made
/// up.
struct endpoint_name {
    std::string text;
    server_facts facts;
};

struct server_registry {
    std::mutex mutex;
    std::condition_variable changed;
    std::map<std::string, std::weak_ptr<remote_server>> servers;
    std::set<std::string> opening;
    std::map<std::string, std::vector<endpoint_name>> unused_names;
    std::map<std::string, std::weak_ptr<remote_link>> links;
    unsigned long name_count = 0;
};

/// Never destroyed: models may be freed while the process exits.
server_registry & registry() {
    static server_registry * const instance = new server_registry;
    return *instance;
}

/// The right to open one server, while others wait for it.
class opening_turn {
  public:
    opening_turn(const std::string & key, const stop_request & stop) : key(key) {
        std::unique_lock<std::mutex> lock(registry().mutex);
        while (!registry().opening.insert(key).second) {
            require_no_stop(stop);
            registry().changed.wait_for(lock, waiting_slice);
        }
    }
    ~opening_turn() {
        std::lock_guard<std::mutex> lock(registry().mutex);
        registry().opening.erase(key);
        registry().changed.notify_all();
    }
    opening_turn(const opening_turn &) = delete;
    opening_turn & operator=(const opening_turn &) = delete;

  private:
    const std::string key;
};

std::shared_ptr<remote_server> known_server(const std::string & key) {
    std::lock_guard<std::mutex> lock(registry().mutex);
    return registry().servers[key].lock();
}

std::string take_name(const std::string & key, const std::shared_ptr<remote_link> & link) {
    std::lock_guard<std::mutex> lock(registry().mutex);
    auto & unused = registry().unused_names[key];
    std::string name;
    for (auto candidate = unused.begin(); candidate != unused.end() && name.empty(); ++candidate) {
        if (candidate->facts == link->facts()) {
            name = candidate->text;
            unused.erase(candidate);
            break;
        }
    }
    if (name.empty()) {
        name = "server" + std::to_string(++registry().name_count);
    }
    registry().links[name] = link;
    return name;
}

void give_back_name(const std::string & key, const std::string & name, const remote_link & link) {
    std::lock_guard<std::mutex> lock(registry().mutex);
    registry().links.erase(name);
    if (!link.is_lost()) {
        registry().unused_names[key].push_back({name, link.facts()});
    }
}

}  // namespace

std::shared_ptr<remote_server> remote_server::open(const server_address & address, const time_limits & limits,
                                                   const stop_request & stop) {
    const std::string key = address.host + " " + std::to_string(address.port);
    opening_turn turn(key, stop);
    // Not under the lock: it may be the last reference by then, and its end takes the lock.
    const std::shared_ptr<remote_server> shared = known_server(key);
    if (shared && shared->link().is_there()) {
        return shared;
    }
    auto opened = std::make_shared<remote_server>(key, address, limits, stop);
    std::lock_guard<std::mutex> lock(registry().mutex);
    registry().servers[key] = opened;
    return opened;
}

remote_server::remote_server(const std::string & key, const server_address & address, const time_limits & limits,
                             const stop_request & stop)
    : key(key),
      connection(std::make_shared<remote_link>(address, limits, stop)),
      endpoint(take_name(key, connection)) {
    find_devices();
    if (anchor == nullptr || connection->is_lost()) {
        ggml_backend_free(anchor);
        give_back_name(key, endpoint, *connection);
        require(!connection->is_lost(), CL_SERVER_LOST, connection->loss().c_str());
        refuse_server(address, "llama.cpp refused it");
    }
}

remote_server::~remote_server() {
    ggml_backend_free(anchor);
    give_back_name(key, endpoint, *connection);
}

void remote_server::find_devices() {
    // llama.cpp wants a port behind the name, and hands both to `socket_t::connect`.
    const ggml_backend_reg_t entry = ggml_backend_rpc_add_server((endpoint + ":1").c_str());
    if (entry == nullptr) {
        return;
    }
    for (size_t index = 0; index < ggml_backend_reg_dev_count(entry); ++index) {
        found.push_back(ggml_backend_reg_dev_get(entry, index));
    }
    anchor = found.empty() ? nullptr : ggml_backend_dev_init(found.front(), nullptr);
}

std::shared_ptr<remote_link> link_of_endpoint(const std::string & endpoint) {
    std::lock_guard<std::mutex> lock(registry().mutex);
    const auto entry = registry().links.find(endpoint);
    return entry == registry().links.end() ? nullptr : entry->second.lock();
}

}  // namespace cllama
