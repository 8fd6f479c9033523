/** The address in the QR code of a label: the installation of this device. */
export const installAddress = (sn: string): string => `${location.origin}/m/install?sn=${encodeURIComponent(sn)}`

/** The serial number in a scanned or typed text: one of our labels, or the number alone. */
export const parseSerialNumber = (text: string): string | undefined => {
  const trimmed = text.trim()
  const sn = URL.canParse(trimmed) ? new URL(trimmed).searchParams.get('sn') : trimmed
  return sn && /^[0-9A-Za-z_-]{4,40}$/.test(sn) ? sn : undefined
}
