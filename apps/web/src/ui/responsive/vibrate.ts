/**
 * Vibrates a phone, where the browser can. A page nobody has touched yet may not, and the browser reports each try as an
 * error, so it is not tried.
 * @param pattern milliseconds of vibration and pause in turns
 */
export const vibrate = (pattern: number[]): void => {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern)
}
