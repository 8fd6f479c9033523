/** What a hidden field of a form holds: its value stays what it was, and nothing is drawn. */
export const Carried = () => null
