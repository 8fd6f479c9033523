/** The address in the QR code of a post or point, so that the camera of any phone opens it. */
export const checkInAddress = (code: string): string => `${location.origin}/m/shift?code=${encodeURIComponent(code)}`

/** The same for a point of a patrol. */
export const patrolAddress = (code: string): string => `${location.origin}/m/patrol?code=${encodeURIComponent(code)}`
