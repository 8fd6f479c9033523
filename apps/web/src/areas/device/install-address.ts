/** What the square on a label opens: the installation of this device. */
export const installAddress = (sn: string): string => `${location.origin}/m/install?sn=${encodeURIComponent(sn)}`

/** The serial number in what was scanned or typed: one of our labels, or the number alone. */
export const parseSerialNumber = (text: string): string | undefined => {
  const trimmed = text.trim()
  const sn = URL.canParse(trimmed) ? new URL(trimmed).searchParams.get('sn') : trimmed
  return sn && /^[0-9A-Za-z_-]{4,40}$/.test(sn) ? sn : undefined
}
