import { warnRecords } from '@tocsin/contract/alarm/records'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { read } from '#api/query.ts'
import { useCan } from '#api/session.ts'
import { word } from '#texts/words.ts'
import type { Target } from './search.ts'

/** The server is asked once the hands rest. */
const PAUSE_MS = 300
const MOST = 5
/** As far back as a list of records may reach, less a day for clocks that differ. */
const WINDOW_MS = 91 * 86_400_000

const useRested = (text: string): string => {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}

/**
 * Alarm records whose number, place or device holds the text, newest first, as the server lets this person find them.
 * @param path where records are shown; undefined finds none.
 */
export const useRecords = (text: string, path: string | undefined): Target[] => {
  const keyword = text.trim()
  const rested = useRested(keyword)
  const may = useCan('warn:record:query')
  const [from] = useState(() => new Date(Date.now() - WINDOW_MS))
  const { data } = useQuery({
    ...read(warnRecords.page, { query: { keyword: rested, from, pageSize: MOST } }),
    enabled: may && path !== undefined && [...rested].length >= 2 && rested.length <= 64,
  })
  // What was found for an earlier text would answer another question.
  if (rested !== keyword || !data) return []
  return data.list.map(({ id, no, code, schoolName, placePath }) => {
    const place = [schoolName, placePath].filter(Boolean).join(' · ')
    return {
      key: `record ${id}`,
      icon: 'record',
      name: `${no} ${word('alarmCode', code, 'zh-cn')}`,
      nameEn: `${no} ${word('alarmCode', code, 'en')}`,
      path: `${path}?record=${id}`,
      above: [{ name: place, nameEn: place }],
    }
  })
}
