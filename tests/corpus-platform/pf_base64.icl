module pf_base64

import StdEnv, Text.Encodings.Base64, Text.Encodings.UrlEncoding, Crypto.Hash.MD5, Crypto.Hash.SHA1

texts = ["", "f", "fo", "foo", "foob", "fooba", "foobar", "any carnal pleas.", {toChar n \\ n <- [0 .. 255]}]

Start = ( [base64Encode t \\ t <- texts], [base64Decode (base64Encode t) == t \\ t <- texts], base64Decode "SGVsbG8gd29ybGQ=", base64URLEncode "\xff\xfe?"
        , urlEncode "a b&c=d/e", urlDecode "a%20b%26c", md5 "hello", sha1 "hello" )
