import { useContext } from 'react'
import { UNSAFE_DataRouterContext as DataRouterContext } from 'react-router'

/** Navigation for components around all pages: the router's own hook would render them again with each page. */
export const useNavigateStable = () => {
  const router = useContext(DataRouterContext)?.router
  return (to: string): void => void router?.navigate(to)
}
