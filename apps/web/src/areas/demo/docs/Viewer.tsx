import { useEffect, useRef, useState } from 'react'
import { useIsDark } from '#shell/theme/preferences.ts'
import { ErrorState } from '#ui/ErrorState.tsx'
import type { ApiDocument } from './calls.ts'
import { showDocs } from './swagger.ts'

/** The viewer's own marker of dark pages, while it is on the screen. */
const useDarkViewer = () => {
  const dark = useIsDark()
  useEffect(() => {
    document.documentElement.classList.toggle('dark-mode', dark)
    return () => document.documentElement.classList.remove('dark-mode')
  }, [dark])
}

type Props = { spec: ApiDocument; area: string; call: string | undefined }

/** The calls of one area, rendered by the viewer. */
export const Viewer = ({ spec, area, call }: Props) => {
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<ApiDocument>(undefined)
  const [failed, setFailed] = useState<Error>()
  useDarkViewer()
  useEffect(() => {
    // A page restored by keep-alive still has its opened calls.
    if (failed || !box.current || drawn.current === spec) return
    drawn.current = spec
    const place = document.createElement('div')
    box.current.replaceChildren(place)
    showDocs(place, spec, area, call).catch((problem: Error) => {
      drawn.current = undefined
      setFailed(problem)
    })
  }, [spec, area, call, failed])
  return (
    <>
      {failed && <ErrorState error={failed} onRetry={() => setFailed(undefined)} />}
      <div ref={box} className="api-docs" />
    </>
  )
}
