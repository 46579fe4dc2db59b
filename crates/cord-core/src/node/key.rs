//! The key of a run: who holds it may serve it, or be served by it.
//!
//! Both ends of a wire have the same key, made for one run and handed over by the launcher's own
//! channel; or kept in a file, for agents that stand. TLS 1.3 proves to either side that the other one
//! holds it: its public half is the raw public key (RFC 7250) that each shows and each expects.

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

/// A secret that both ends of a wire hold.
#[derive(Clone)]
pub struct RunKey {
    secret: Vec<u8>,
    shown: Arc<CertifiedKey>,
}

impl std::fmt::Debug for RunKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RunKey")
    }
}

impl RunKey {
    /// A new one, which nobody else has.
    ///
    /// # Errors
    /// When the system gives no randomness.
    pub fn generate() -> io::Result<RunKey> {
        let random = ring::rand::SystemRandom::new();
        let made = ring::signature::Ed25519KeyPair::generate_pkcs8(&random);
        let made = made.map_err(|_| io::Error::other("the system gives no randomness"))?;
        RunKey::from_secret(made.as_ref())
    }

    /// The key with this secret.
    ///
    /// # Errors
    /// When it is none.
    pub fn from_secret(secret: &[u8]) -> io::Result<RunKey> {
        let wrong = |_| io::Error::new(io::ErrorKind::InvalidInput, "this is no key of Cord's");
        let signs = any_eddsa_type(&PrivatePkcs8KeyDer::from(secret.to_vec())).map_err(wrong)?;
        let public = signs.public_key().expect("such keys have a public half");
        let public = CertificateDer::from(public.as_ref().to_vec());
        Ok(RunKey {
            secret: secret.to_vec(),
            shown: Arc::new(CertifiedKey::new(vec![public], signs)),
        })
    }

    /// What is handed to the other side.
    pub fn secret(&self) -> &[u8] {
        &self.secret
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
            public: self.shown.cert[0].clone(),
            provider: Arc::clone(&provider),
        };
        (provider, Arc::new(expects))
    }
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

    fn signed(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let public = SubjectPublicKeyInfoDer::from(shown.as_ref());
        let known = &self.provider.signature_verification_algorithms;
        verify_tls13_signature_with_raw_key(message, &public, signature, known)
    }

    fn too_old() -> Result<HandshakeSignatureValid, Error> {
        Err(PeerMisbehaved::SignedHandshakeWithUnadvertisedSigScheme.into())
    }

    fn schemes(&self) -> Vec<SignatureScheme> {
        let known = &self.provider.signature_verification_algorithms;
        known.supported_schemes()
    }
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

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _shown: &CertificateDer<'_>,
        _signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Expects::too_old()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed(message, shown, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes()
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
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

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _shown: &CertificateDer<'_>,
        _signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Expects::too_old()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        shown: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signed(message, shown, signature)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.schemes()
    }

    fn requires_raw_public_keys(&self) -> bool {
        true
    }
}
