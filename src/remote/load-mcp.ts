/** The one door to the package that speaks the protocol: reached by a dynamic import, on first use. */
export { createMCPClient, MCPClientError, type JSONRPCMessage, type MCPClient, type MCPTransport } from '@ai-sdk/mcp';
