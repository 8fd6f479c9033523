import { useEffect, useState } from 'react'

const PAUSE_MS = 300

/** The typed text after a pause: then the server is asked. */
export const useDebouncedValue = (text: string): string => {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
