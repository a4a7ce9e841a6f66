// The part of OpenSSL 3 that Signing uses: digests, MACs, RSA keys. Nothing else in the package includes these.
#pragma once
// The digests that need no initialisation (`Digests+OpenSSL.swift`) are deprecated in favour of those that do.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>

// These two are macros of macros, which Swift does not import.
enum {
    understudy_pkey_public = EVP_PKEY_PUBLIC_KEY,
    understudy_pkey_keypair = EVP_PKEY_KEYPAIR
};
