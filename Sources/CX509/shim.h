// The part of OpenSSL 3 that Certificates uses: keys, signatures, X.509. Nothing else in the package includes these.
#pragma once
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Swift calls no variadic function.
static inline EVP_PKEY *understudy_make_p256_key(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"); }
static inline EVP_PKEY *understudy_make_rsa_key(size_t bits) { return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", bits); }

// These are macros, or combinations of macros, which Swift does not import.
enum {
    understudy_name_flags = (ASN1_STRFLGS_RFC2253 & ~ASN1_STRFLGS_ESC_MSB) | XN_FLAG_SEP_CPLUS_SPC | XN_FLAG_FN_SN,
    understudy_never_subject = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT
};
static inline long understudy_bio_content(BIO *bio, char **content) { return BIO_get_mem_data(bio, content); }
