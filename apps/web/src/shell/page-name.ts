import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { create } from 'zustand'
import { useSession } from '#api/session.ts'
import { keepHere, keptHere } from '#api/storage.ts'

/** Per person and browser tab, as the tags are. */
const key = () => `pageNames.${useSession.getState().user?.id ?? 0}`

const remembered = (): Record<string, string> => {
  try {
    const names: unknown = JSON.parse(keptHere(key()) ?? '{}')
    return Object.fromEntries(Object.entries(Object(names)).filter((pair): pair is [string, string] => !!pair[1]))
  } catch {
    return {}
  }
}

/** Names that pages gave themselves, by path: where one screen shows many things, its entry's name says too little. */
export const usePageNames = create<Record<string, string>>()(remembered)

/** Names the page this is called in, on its tag and in the browser's tab; undefined while it is not known. */
export const useNamed = (name: string | undefined): void => {
  const { pathname } = useLocation()
  useEffect(() => {
    if (name === undefined || usePageNames.getState()[pathname] === name) return
    usePageNames.setState({ [pathname]: name })
    keepHere(key(), JSON.stringify(usePageNames.getState()))
  }, [name, pathname])
}
