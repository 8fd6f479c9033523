import type { ReactNode } from 'react'

const line = (drawing: ReactNode) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    {drawing}
  </svg>
)

/** A bell inside a shield; the same drawing as favicon.svg. */
export const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path className="mark-shield" d="M16 1.5 28 5.6v9.1c0 7.3-4.8 12.9-12 15.8C8.8 27.6 4 22 4 14.7V5.6z" />
    <path
      className="mark-bell"
      d="M16 7.2a1.4 1.4 0 0 1 1.4 1.4v.5a5.6 5.6 0 0 1 4.2 5.4v3.7l1.5 2.3a.8.8 0 0 1-.7 1.2H9.6a.8.8 0 0 1-.7-1.2l1.5-2.3v-3.7a5.6 5.6 0 0 1 4.2-5.4v-.5A1.4 1.4 0 0 1 16 7.2zM13.5 22.9h5a2.5 2.5 0 0 1-5 0z"
    />
  </svg>
)

export const icons = {
  person: line(
    <>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 20c1-4 4-6 7.5-6s6.5 2 7.5 6" />
    </>,
  ),
  lock: line(
    <>
      <rect x="5" y="10.5" width="14" height="9.5" rx="2" />
      <path d="M8 10.5V8a4 4 0 0 1 8 0v2.5" />
    </>,
  ),
  check: line(
    <>
      <path d="M12 3.5 19 6v5.5c0 4-2.8 7.2-7 9-4.2-1.8-7-5-7-9V6z" />
      <path d="m9 11.8 2.2 2.2 4-4.3" />
    </>,
  ),
  eye: line(
    <>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" />
      <circle cx="12" cy="12" r="3" />
    </>,
  ),
  eyeOff: line(
    <>
      <path d="M9.9 5.7A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.6 3.3M6.3 7.3A15.5 15.5 0 0 0 2.5 12S6 18.5 12 18.5a9.4 9.4 0 0 0 5-1.4" />
      <path d="m4 4 16 16" />
    </>,
  ),
  light: line(
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />
    </>,
  ),
  dark: line(<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z" />),
  auto: line(
    <>
      <rect x="3" y="4.5" width="18" height="12" rx="2" />
      <path d="M8.5 20h7M12 16.5V20" />
    </>,
  ),
  globe: line(
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M3 12h18M12 3c2.5 2.6 3.7 5.6 3.7 9s-1.2 6.4-3.7 9c-2.5-2.6-3.7-5.6-3.7-9S9.5 5.6 12 3z" />
    </>,
  ),
  phone: line(
    <>
      <rect x="7" y="2.5" width="10" height="19" rx="2.2" />
      <path d="M10.5 18.2h3" />
    </>,
  ),
  mail: line(
    <>
      <rect x="3" y="5.5" width="18" height="13" rx="2" />
      <path d="m3.8 7.2 8.2 6.3 8.2-6.3" />
    </>,
  ),
  message: line(
    <>
      <path d="M4 5.5h16v11H11l-4.5 3.5v-3.5H4z" />
      <path d="M8.5 11h.01M12 11h.01M15.5 11h.01" />
    </>,
  ),
  badge: line(
    <>
      <rect x="4" y="4" width="16" height="16.5" rx="2" />
      <circle cx="12" cy="10.5" r="2.3" />
      <path d="M7.8 17c.6-2 2.2-3 4.2-3s3.6 1 4.2 3" />
    </>,
  ),
  key: line(
    <>
      <circle cx="8" cy="15.5" r="4" />
      <path d="m11 12.5 8.5-8.5M16 7.5l2.5 2.5" />
    </>,
  ),
  qr: line(
    <>
      <path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4z" />
      <path d="M14 14h2.5v2.5M20 14v6h-3.5M14 20h.01" />
    </>,
  ),
  back: line(<path d="M19 12H5m6-6-6 6 6 6" />),
}
