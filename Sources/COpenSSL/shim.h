// The part of OpenSSL 3 that is used: digests, MACs and RSA keys by Crypto, keys and X.509 by Certificates, TLS by Transport.
// Nothing else in the package includes these.
#pragma once
// The digests that need no initialisation (`Digests+OpenSSL.swift`) are deprecated in favour of those that do.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Swift calls no variadic function.
static inline EVP_PKEY *understudy_make_p256_key(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"); }
static inline EVP_PKEY *understudy_make_rsa_key(size_t bits) { return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits); }

static inline long understudy_bio_content(BIO *bio, char **content) { return BIO_get_mem_data(bio, content); }

// Staples the response that a connection has. The setter casts function pointers, which Swift does not do.
static inline int understudy_staple(SSL *ssl, void *argument) { return SSL_TLSEXT_ERR_OK; }
static inline void understudy_set_status_callback(SSL_CTX *context) {
    SSL_CTX_set_tlsext_status_cb(context, understudy_staple);
}

// These are macros of macros, or combinations of macros, which Swift does not import.
enum {
    understudy_pkey_public = EVP_PKEY_PUBLIC_KEY,
    understudy_pkey_keypair = EVP_PKEY_KEYPAIR
};
enum {
    understudy_name_flags = (ASN1_STRFLGS_RFC2253 & ~ASN1_STRFLGS_ESC_MSB) | XN_FLAG_SEP_CPLUS_SPC | XN_FLAG_FN_SN,
    understudy_never_subject = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT
};
enum {
    understudy_server_options = SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE
        | SSL_OP_PRIORITIZE_CHACHA,
    understudy_no_ticket = SSL_OP_NO_TICKET
};
