#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

// llama.cpp's RPC client reads and writes through this class, whose declaration llama.cpp keeps to itself. Its own
// implementation ends the process when a connection breaks and waits without limit. transport.cpp beside this file
// implements all that llama.cpp's object file of that name does, so a linker, which takes a member of an archive only
// for symbols that are still missing, never takes that one. Should llama.cpp add a function there, linking fails.

struct socket_t {
    ~socket_t();

    bool send_data(const void * data, size_t size);
    bool recv_data(void * data, size_t size);
    /// Called at the end of every message.
    bool flush();

    std::shared_ptr<socket_t> accept();

    void get_caps(uint8_t * local_caps);
    void update_caps(const uint8_t * remote_caps);

    static std::shared_ptr<socket_t> create_server(const char * host, int port);
    static std::shared_ptr<socket_t> connect(const char * host, int port);

  private:
    struct impl;
    explicit socket_t(std::unique_ptr<impl> implementation);
    std::unique_ptr<impl> pimpl;
};

bool rpc_transport_init();
void rpc_transport_shutdown();
