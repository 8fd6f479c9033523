import { useEffect, useState } from 'react'

const PAUSE_MS = 300

/** What was typed, once the hands rest: then the server is asked. */
export const useDebouncedValue = (text: string): string => {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
