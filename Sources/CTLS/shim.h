// The part of OpenSSL 3 that Transport uses: both sides of TLS. Nothing else in the package includes these.
#pragma once
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Staples the response that a connection has. The setter casts function pointers, which Swift does not do.
static inline int understudy_staple(SSL *ssl, void *argument) { return SSL_TLSEXT_ERR_OK; }
static inline void understudy_set_status_callback(SSL_CTX *context) {
    SSL_CTX_set_tlsext_status_cb(context, understudy_staple);
}

// These are combinations of macros, which Swift does not import.
enum {
    understudy_server_options = SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE
        | SSL_OP_PRIORITIZE_CHACHA,
    understudy_no_ticket = SSL_OP_NO_TICKET
};
