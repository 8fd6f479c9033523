import { useContext } from 'react'
import { UNSAFE_DataRouterContext as DataRouterContext } from 'react-router'

/**
 * Leads to another page, for what stands around all of them: the router's own hook would have it drawn anew with each
 * page that is opened.
 */
export const useNavigateStable = () => {
  const router = useContext(DataRouterContext)?.router
  return (to: string): void => void router?.navigate(to)
}
