//! Keys: who holds the right one may serve, or be served.
//!
//! The two ends of a run's wires have the same key, made for that run and handed over by the
//! launcher's own channel. A standing agent and its clients have one each, kept in files, and the
//! public half of the other's: a client cannot pass for the agent. TLS 1.3 proves to either side that
//! the other one holds its secret: each shows a raw public key (RFC 7250), and each expects one.

use std::io;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{AlwaysResolvesClientRawPublicKeys, ClientConfig, ClientConnection};
use rustls::crypto::ring::{default_provider, sign::any_eddsa_type};
use rustls::crypto::{verify_tls13_signature_with_raw_key, CryptoProvider};
use rustls::pki_types::{
    CertificateDer, PrivatePkcs8KeyDer, ServerName, SubjectPublicKeyInfoDer, UnixTime,
};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::server::{AlwaysResolvesServerRawPublicKeys, ServerConfig, ServerConnection};
use rustls::sign::CertifiedKey;
use rustls::version::TLS13;
use rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error, PeerMisbehaved,
    SignatureScheme,
};

/// What one end of a wire has: a secret of its own, and what it expects of the other end.
#[derive(Clone)]
pub struct Key {
    bytes: Vec<u8>,
    shown: Arc<CertifiedKey>,
    expected: CertificateDer<'static>,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key")
    }
}

impl Key {
    /// A new one, for both ends, which nobody else has.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn generate() -> io::Result<Key> {
        let random = ring::rand::SystemRandom::new();
        let made = ring::signature::Ed25519KeyPair::generate_pkcs8(&random);
        let made = made.map_err(|_| io::Error::other("the system gives no randomness"))?;
        Key::read(made.as_ref())
    }

    /// New ones for two ends, each of which expects the other.
    ///
    /// # Errors
    /// As above.
    pub fn pair() -> io::Result<(Key, Key)> {
        let (one, other) = (Key::generate()?, Key::generate()?);
        let expecting = |key: &Key, other: &Key| {
            Key::read(&[key.bytes(), other.shown.cert[0].as_ref()].concat())
        };
        Ok((expecting(&one, &other)?, expecting(&other, &one)?))
    }

    /// The key that `bytes` gives. They are a secret, and the public half of the other end's behind
    /// it where that is another one: each tells by itself where it ends.
    ///
    /// # Errors
    /// When they are none.
    pub fn read(bytes: &[u8]) -> io::Result<Key> {
        let wrong = || io::Error::new(io::ErrorKind::InvalidInput, "this is no key of Cord's");
        let (secret, other) = first_of(bytes).ok_or_else(wrong)?;
        let signs = any_eddsa_type(&PrivatePkcs8KeyDer::from(secret.to_vec()));
        let signs = signs.map_err(|_| wrong())?;
        let public = signs.public_key().expect("such keys have a public half");
        let public = CertificateDer::from(public.as_ref().to_vec());
        let expected = match first_of(other) {
            None if other.is_empty() => public.clone(),
            Some((whole, [])) => CertificateDer::from(whole.to_vec()),
            _ => return Err(wrong()),
        };
        Ok(Key {
            bytes: bytes.to_vec(),
            shown: Arc::new(CertifiedKey::new(vec![public], signs)),
            expected,
        })
    }

    /// What `read` takes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The side that connects.
    pub(super) fn client(&self) -> Result<ClientConnection, Error> {
        let (provider, expects) = self.parts();
        let config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])?
            .dangerous()
            .with_custom_certificate_verifier(expects)
            .with_client_cert_resolver(Arc::new(AlwaysResolvesClientRawPublicKeys::new(
                Arc::clone(&self.shown),
            )));
        let nobody = ServerName::try_from("cord").expect("it is a name");
        ClientConnection::new(Arc::new(config), nobody)
    }

    /// The side that listens.
    pub(super) fn server(&self) -> Result<ServerConnection, Error> {
        let (provider, expects) = self.parts();
        let config = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])?
            .with_client_cert_verifier(expects)
            .with_cert_resolver(Arc::new(AlwaysResolvesServerRawPublicKeys::new(
                Arc::clone(&self.shown),
            )));
        ServerConnection::new(Arc::new(config))
    }

    fn parts(&self) -> (Arc<CryptoProvider>, Arc<Expects>) {
        let provider = Arc::new(default_provider());
        let expects = Expects {
            public: self.expected.clone(),
            provider: Arc::clone(&provider),
        };
        (provider, Arc::new(expects))
    }
}

/// The first of what is written in DER, and what follows it. All that is read here is short.
fn first_of(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let length = usize::from(*bytes.get(1)?);
    (length < 0x80).then(|| bytes.split_at_checked(2 + length))?
}

/// Accepts the holder of one key.
#[derive(Debug)]
struct Expects {
    public: CertificateDer<'static>,
    provider: Arc<CryptoProvider>,
}

impl Expects {
    fn look(&self, shown: &CertificateDer<'_>) -> Result<(), Error> {
        match shown.as_ref() == self.public.as_ref() {
            true => Ok(()),
            false => Err(Error::InvalidCertificate(
                CertificateError::ApplicationVerificationFailure,
            )),
        }
    }
}

/// What both sides ask alike: only TLS 1.3, with keys that no certificate is around.
macro_rules! signed_alike {
    () => {
        fn verify_tls12_signature(
            &self,
            _message: &[u8],
            _shown: &CertificateDer<'_>,
            _signature: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            Err(PeerMisbehaved::SignedHandshakeWithUnadvertisedSigScheme.into())
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            shown: &CertificateDer<'_>,
            signature: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            let public = SubjectPublicKeyInfoDer::from(shown.as_ref());
            let known = &self.provider.signature_verification_algorithms;
            verify_tls13_signature_with_raw_key(message, &public, signature, known)
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            let known = &self.provider.signature_verification_algorithms;
            known.supported_schemes()
        }

        fn requires_raw_public_keys(&self) -> bool {
            true
        }
    };
}

impl ServerCertVerifier for Expects {
    fn verify_server_cert(
        &self,
        shown: &CertificateDer<'_>,
        _between: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.look(shown).map(|()| ServerCertVerified::assertion())
    }

    signed_alike!();
}

impl ClientCertVerifier for Expects {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        shown: &CertificateDer<'_>,
        _between: &[CertificateDer<'_>],
        _now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.look(shown).map(|()| ClientCertVerified::assertion())
    }

    signed_alike!();
}
