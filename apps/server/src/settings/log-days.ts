/** Cybersecurity Law, art. 21: logs are kept for at least six months. */
export const LOG_DAYS_MIN = 180
